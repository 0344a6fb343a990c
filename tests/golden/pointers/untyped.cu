// A buffer of a type that MLX has no array of.
struct Node {
  float* children;
};

__global__ void visit(Node* nodes, float* y) {  // error: CU2103
  y[threadIdx.x] = nodes[threadIdx.x].children[0];
}
