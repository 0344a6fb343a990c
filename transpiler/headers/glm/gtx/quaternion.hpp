// rotate() and its kin stand with the quaternions.
#pragma once
#include "../gtc/quaternion.hpp"
