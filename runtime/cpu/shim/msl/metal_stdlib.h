// What <metal_stdlib> and its companions give a kernel, on the CPU machine.
#pragma once
#include "entry.h"
#include "internals.h"
#include "logging.h"
#include "product.h"

#define __METAL__ 1
#define __METAL_MACOS__ 1
#define __METAL_VERSION__ 400
#define __HAVE_BFLOAT__ 1
#define METAL_FUNC inline
#define METAL_CONST
