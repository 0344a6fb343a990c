// The context switch: saves what the calling convention lets a callee keep, and nothing else.
#if defined(__APPLE__)
#define SYMBOL(name) "_" name
#define HIDE(name) ".private_extern _" name "\n"
#else
#define SYMBOL(name) name
#define HIDE(name) ".hidden " name "\n"
#endif

// void engine_switch(void** save, void* load)
#if defined(__x86_64__)
asm(".text\n.globl " SYMBOL("engine_switch") "\n" HIDE("engine_switch") SYMBOL("engine_switch") ":\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n");
#elif defined(__aarch64__)
asm(".text\n.p2align 2\n.globl " SYMBOL("engine_switch") "\n" HIDE("engine_switch") SYMBOL("engine_switch") ":\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n  str x9, [x0]\n"
    "  mov sp, x1\n"
    "  ldp x19, x20, [sp]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  ret\n");
#else
#error "the CPU machine knows x86-64 and aarch64"
#endif

#include "switch.h"

namespace engine {

void* first_frame(char* top, void (*start)()) {
#if defined(__x86_64__)
    // Six zero registers, then `start` as the return address; the stack is 16-byte aligned at its call.
    void** stack = reinterpret_cast<void**>(top) - 2;
    stack[0] = reinterpret_cast<void*>(start);
    stack[1] = nullptr;
    for (int i = 1; i <= 6; ++i) stack[-i] = nullptr;
    return stack - 6;
#else
    void** stack = reinterpret_cast<void**>(top - 160);
    for (int i = 0; i < 20; ++i) stack[i] = nullptr;
    stack[11] = reinterpret_cast<void*>(start);  // x30
    return stack;
#endif
}

}  // namespace engine
