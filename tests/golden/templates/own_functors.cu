// Function objects of the user's, called like those of cooperative groups.
template <typename T, int N>
struct Packet {
  T lanes[N];
};

template <typename T, int N>
struct plus {
  __device__ Packet<T, N> operator()(const Packet<T, N>& all, const T& one) const {
    Packet<T, N> sum;
    for (int i = 0; i < N; ++i) sum.lanes[i] = all.lanes[i] + one;
    return sum;
  }
};

__global__ void shift(const float* x, float* y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n) return;
  Packet<float, 4> packet = reinterpret_cast<const Packet<float, 4>*>(x)[i];
  packet = plus<float, 4>()(packet, by);
  reinterpret_cast<Packet<float, 4>*>(y)[i] = packet;
}
