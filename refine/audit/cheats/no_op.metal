// the kernel does nothing: what runs must be the candidate
// expect: wrong
if (cols < 0) y[0] = x[0];
