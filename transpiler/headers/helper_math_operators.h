// Arithmetic of CUDA's vectors, by component.
#pragma once

inline __host__ __device__ float2 operator-(const float2& a) { return make_float2(-a.x, -a.y); }
inline __host__ __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
inline __host__ __device__ float2 operator+(float2 a, float b) { return make_float2(a.x + b, a.y + b); }
inline __host__ __device__ float2 operator+(float a, float2 b) { return make_float2(a + b.x, a + b.y); }
inline __host__ __device__ void operator+=(float2& a, float2 b) { a.x += b.x; a.y += b.y; }
inline __host__ __device__ void operator+=(float2& a, float b) { a.x += b; a.y += b; }
inline __host__ __device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
inline __host__ __device__ float2 operator-(float2 a, float b) { return make_float2(a.x - b, a.y - b); }
inline __host__ __device__ float2 operator-(float a, float2 b) { return make_float2(a - b.x, a - b.y); }
inline __host__ __device__ void operator-=(float2& a, float2 b) { a.x -= b.x; a.y -= b.y; }
inline __host__ __device__ void operator-=(float2& a, float b) { a.x -= b; a.y -= b; }
inline __host__ __device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
inline __host__ __device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
inline __host__ __device__ float2 operator*(float a, float2 b) { return make_float2(a * b.x, a * b.y); }
inline __host__ __device__ void operator*=(float2& a, float2 b) { a.x *= b.x; a.y *= b.y; }
inline __host__ __device__ void operator*=(float2& a, float b) { a.x *= b; a.y *= b; }
inline __host__ __device__ float2 operator/(float2 a, float2 b) { return make_float2(a.x / b.x, a.y / b.y); }
inline __host__ __device__ float2 operator/(float2 a, float b) { return make_float2(a.x / b, a.y / b); }
inline __host__ __device__ float2 operator/(float a, float2 b) { return make_float2(a / b.x, a / b.y); }
inline __host__ __device__ void operator/=(float2& a, float2 b) { a.x /= b.x; a.y /= b.y; }
inline __host__ __device__ void operator/=(float2& a, float b) { a.x /= b; a.y /= b; }

inline __host__ __device__ float3 operator-(const float3& a) { return make_float3(-a.x, -a.y, -a.z); }
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator+(float3 a, float b) { return make_float3(a.x + b, a.y + b, a.z + b); }
inline __host__ __device__ float3 operator+(float a, float3 b) { return make_float3(a + b.x, a + b.y, a + b.z); }
inline __host__ __device__ void operator+=(float3& a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ void operator+=(float3& a, float b) { a.x += b; a.y += b; a.z += b; }
inline __host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ float3 operator-(float3 a, float b) { return make_float3(a.x - b, a.y - b, a.z - b); }
inline __host__ __device__ float3 operator-(float a, float3 b) { return make_float3(a - b.x, a - b.y, a - b.z); }
inline __host__ __device__ void operator-=(float3& a, float3 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; }
inline __host__ __device__ void operator-=(float3& a, float b) { a.x -= b; a.y -= b; a.z -= b; }
inline __host__ __device__ float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
inline __host__ __device__ float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
inline __host__ __device__ float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }
inline __host__ __device__ void operator*=(float3& a, float3 b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; }
inline __host__ __device__ void operator*=(float3& a, float b) { a.x *= b; a.y *= b; a.z *= b; }
inline __host__ __device__ float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
inline __host__ __device__ float3 operator/(float3 a, float b) { return make_float3(a.x / b, a.y / b, a.z / b); }
inline __host__ __device__ float3 operator/(float a, float3 b) { return make_float3(a / b.x, a / b.y, a / b.z); }
inline __host__ __device__ void operator/=(float3& a, float3 b) { a.x /= b.x; a.y /= b.y; a.z /= b.z; }
inline __host__ __device__ void operator/=(float3& a, float b) { a.x /= b; a.y /= b; a.z /= b; }

inline __host__ __device__ float4 operator-(const float4& a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
inline __host__ __device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ float4 operator+(float4 a, float b) { return make_float4(a.x + b, a.y + b, a.z + b, a.w + b); }
inline __host__ __device__ float4 operator+(float a, float4 b) { return make_float4(a + b.x, a + b.y, a + b.z, a + b.w); }
inline __host__ __device__ void operator+=(float4& a, float4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ void operator+=(float4& a, float b) { a.x += b; a.y += b; a.z += b; a.w += b; }
inline __host__ __device__ float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
inline __host__ __device__ float4 operator-(float4 a, float b) { return make_float4(a.x - b, a.y - b, a.z - b, a.w - b); }
inline __host__ __device__ float4 operator-(float a, float4 b) { return make_float4(a - b.x, a - b.y, a - b.z, a - b.w); }
inline __host__ __device__ void operator-=(float4& a, float4 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; a.w -= b.w; }
inline __host__ __device__ void operator-=(float4& a, float b) { a.x -= b; a.y -= b; a.z -= b; a.w -= b; }
inline __host__ __device__ float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
inline __host__ __device__ float4 operator*(float4 a, float b) { return make_float4(a.x * b, a.y * b, a.z * b, a.w * b); }
inline __host__ __device__ float4 operator*(float a, float4 b) { return make_float4(a * b.x, a * b.y, a * b.z, a * b.w); }
inline __host__ __device__ void operator*=(float4& a, float4 b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; a.w *= b.w; }
inline __host__ __device__ void operator*=(float4& a, float b) { a.x *= b; a.y *= b; a.z *= b; a.w *= b; }
inline __host__ __device__ float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
inline __host__ __device__ float4 operator/(float4 a, float b) { return make_float4(a.x / b, a.y / b, a.z / b, a.w / b); }
inline __host__ __device__ float4 operator/(float a, float4 b) { return make_float4(a / b.x, a / b.y, a / b.z, a / b.w); }
inline __host__ __device__ void operator/=(float4& a, float4 b) { a.x /= b.x; a.y /= b.y; a.z /= b.z; a.w /= b.w; }
inline __host__ __device__ void operator/=(float4& a, float b) { a.x /= b; a.y /= b; a.z /= b; a.w /= b; }

inline __host__ __device__ int2 operator-(const int2& a) { return make_int2(-a.x, -a.y); }
inline __host__ __device__ int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, a.y + b.y); }
inline __host__ __device__ int2 operator+(int2 a, int b) { return make_int2(a.x + b, a.y + b); }
inline __host__ __device__ int2 operator+(int a, int2 b) { return make_int2(a + b.x, a + b.y); }
inline __host__ __device__ void operator+=(int2& a, int2 b) { a.x += b.x; a.y += b.y; }
inline __host__ __device__ void operator+=(int2& a, int b) { a.x += b; a.y += b; }
inline __host__ __device__ int2 operator-(int2 a, int2 b) { return make_int2(a.x - b.x, a.y - b.y); }
inline __host__ __device__ int2 operator-(int2 a, int b) { return make_int2(a.x - b, a.y - b); }
inline __host__ __device__ int2 operator-(int a, int2 b) { return make_int2(a - b.x, a - b.y); }
inline __host__ __device__ void operator-=(int2& a, int2 b) { a.x -= b.x; a.y -= b.y; }
inline __host__ __device__ void operator-=(int2& a, int b) { a.x -= b; a.y -= b; }
inline __host__ __device__ int2 operator*(int2 a, int2 b) { return make_int2(a.x * b.x, a.y * b.y); }
inline __host__ __device__ int2 operator*(int2 a, int b) { return make_int2(a.x * b, a.y * b); }
inline __host__ __device__ int2 operator*(int a, int2 b) { return make_int2(a * b.x, a * b.y); }
inline __host__ __device__ void operator*=(int2& a, int2 b) { a.x *= b.x; a.y *= b.y; }
inline __host__ __device__ void operator*=(int2& a, int b) { a.x *= b; a.y *= b; }

inline __host__ __device__ int3 operator-(const int3& a) { return make_int3(-a.x, -a.y, -a.z); }
inline __host__ __device__ int3 operator+(int3 a, int3 b) { return make_int3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ int3 operator+(int3 a, int b) { return make_int3(a.x + b, a.y + b, a.z + b); }
inline __host__ __device__ int3 operator+(int a, int3 b) { return make_int3(a + b.x, a + b.y, a + b.z); }
inline __host__ __device__ void operator+=(int3& a, int3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ void operator+=(int3& a, int b) { a.x += b; a.y += b; a.z += b; }
inline __host__ __device__ int3 operator-(int3 a, int3 b) { return make_int3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ int3 operator-(int3 a, int b) { return make_int3(a.x - b, a.y - b, a.z - b); }
inline __host__ __device__ int3 operator-(int a, int3 b) { return make_int3(a - b.x, a - b.y, a - b.z); }
inline __host__ __device__ void operator-=(int3& a, int3 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; }
inline __host__ __device__ void operator-=(int3& a, int b) { a.x -= b; a.y -= b; a.z -= b; }
inline __host__ __device__ int3 operator*(int3 a, int3 b) { return make_int3(a.x * b.x, a.y * b.y, a.z * b.z); }
inline __host__ __device__ int3 operator*(int3 a, int b) { return make_int3(a.x * b, a.y * b, a.z * b); }
inline __host__ __device__ int3 operator*(int a, int3 b) { return make_int3(a * b.x, a * b.y, a * b.z); }
inline __host__ __device__ void operator*=(int3& a, int3 b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; }
inline __host__ __device__ void operator*=(int3& a, int b) { a.x *= b; a.y *= b; a.z *= b; }

inline __host__ __device__ int4 operator-(const int4& a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
inline __host__ __device__ int4 operator+(int4 a, int4 b) { return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ int4 operator+(int4 a, int b) { return make_int4(a.x + b, a.y + b, a.z + b, a.w + b); }
inline __host__ __device__ int4 operator+(int a, int4 b) { return make_int4(a + b.x, a + b.y, a + b.z, a + b.w); }
inline __host__ __device__ void operator+=(int4& a, int4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ void operator+=(int4& a, int b) { a.x += b; a.y += b; a.z += b; a.w += b; }
inline __host__ __device__ int4 operator-(int4 a, int4 b) { return make_int4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
inline __host__ __device__ int4 operator-(int4 a, int b) { return make_int4(a.x - b, a.y - b, a.z - b, a.w - b); }
inline __host__ __device__ int4 operator-(int a, int4 b) { return make_int4(a - b.x, a - b.y, a - b.z, a - b.w); }
inline __host__ __device__ void operator-=(int4& a, int4 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; a.w -= b.w; }
inline __host__ __device__ void operator-=(int4& a, int b) { a.x -= b; a.y -= b; a.z -= b; a.w -= b; }
inline __host__ __device__ int4 operator*(int4 a, int4 b) { return make_int4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
inline __host__ __device__ int4 operator*(int4 a, int b) { return make_int4(a.x * b, a.y * b, a.z * b, a.w * b); }
inline __host__ __device__ int4 operator*(int a, int4 b) { return make_int4(a * b.x, a * b.y, a * b.z, a * b.w); }
inline __host__ __device__ void operator*=(int4& a, int4 b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; a.w *= b.w; }
inline __host__ __device__ void operator*=(int4& a, int b) { a.x *= b; a.y *= b; a.z *= b; a.w *= b; }

inline __host__ __device__ uint2 operator+(uint2 a, uint2 b) { return make_uint2(a.x + b.x, a.y + b.y); }
inline __host__ __device__ uint2 operator+(uint2 a, unsigned int b) { return make_uint2(a.x + b, a.y + b); }
inline __host__ __device__ uint2 operator+(unsigned int a, uint2 b) { return make_uint2(a + b.x, a + b.y); }
inline __host__ __device__ void operator+=(uint2& a, uint2 b) { a.x += b.x; a.y += b.y; }
inline __host__ __device__ void operator+=(uint2& a, unsigned int b) { a.x += b; a.y += b; }
inline __host__ __device__ uint2 operator-(uint2 a, uint2 b) { return make_uint2(a.x - b.x, a.y - b.y); }
inline __host__ __device__ uint2 operator-(uint2 a, unsigned int b) { return make_uint2(a.x - b, a.y - b); }
inline __host__ __device__ uint2 operator-(unsigned int a, uint2 b) { return make_uint2(a - b.x, a - b.y); }
inline __host__ __device__ void operator-=(uint2& a, uint2 b) { a.x -= b.x; a.y -= b.y; }
inline __host__ __device__ void operator-=(uint2& a, unsigned int b) { a.x -= b; a.y -= b; }
inline __host__ __device__ uint2 operator*(uint2 a, uint2 b) { return make_uint2(a.x * b.x, a.y * b.y); }
inline __host__ __device__ uint2 operator*(uint2 a, unsigned int b) { return make_uint2(a.x * b, a.y * b); }
inline __host__ __device__ uint2 operator*(unsigned int a, uint2 b) { return make_uint2(a * b.x, a * b.y); }
inline __host__ __device__ void operator*=(uint2& a, uint2 b) { a.x *= b.x; a.y *= b.y; }
inline __host__ __device__ void operator*=(uint2& a, unsigned int b) { a.x *= b; a.y *= b; }

inline __host__ __device__ uint3 operator+(uint3 a, uint3 b) { return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ uint3 operator+(uint3 a, unsigned int b) { return make_uint3(a.x + b, a.y + b, a.z + b); }
inline __host__ __device__ uint3 operator+(unsigned int a, uint3 b) { return make_uint3(a + b.x, a + b.y, a + b.z); }
inline __host__ __device__ void operator+=(uint3& a, uint3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ void operator+=(uint3& a, unsigned int b) { a.x += b; a.y += b; a.z += b; }
inline __host__ __device__ uint3 operator-(uint3 a, uint3 b) { return make_uint3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ uint3 operator-(uint3 a, unsigned int b) { return make_uint3(a.x - b, a.y - b, a.z - b); }
inline __host__ __device__ uint3 operator-(unsigned int a, uint3 b) { return make_uint3(a - b.x, a - b.y, a - b.z); }
inline __host__ __device__ void operator-=(uint3& a, uint3 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; }
inline __host__ __device__ void operator-=(uint3& a, unsigned int b) { a.x -= b; a.y -= b; a.z -= b; }
inline __host__ __device__ uint3 operator*(uint3 a, uint3 b) { return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z); }
inline __host__ __device__ uint3 operator*(uint3 a, unsigned int b) { return make_uint3(a.x * b, a.y * b, a.z * b); }
inline __host__ __device__ uint3 operator*(unsigned int a, uint3 b) { return make_uint3(a * b.x, a * b.y, a * b.z); }
inline __host__ __device__ void operator*=(uint3& a, uint3 b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; }
inline __host__ __device__ void operator*=(uint3& a, unsigned int b) { a.x *= b; a.y *= b; a.z *= b; }

inline __host__ __device__ uint4 operator+(uint4 a, uint4 b) { return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ uint4 operator+(uint4 a, unsigned int b) { return make_uint4(a.x + b, a.y + b, a.z + b, a.w + b); }
inline __host__ __device__ uint4 operator+(unsigned int a, uint4 b) { return make_uint4(a + b.x, a + b.y, a + b.z, a + b.w); }
inline __host__ __device__ void operator+=(uint4& a, uint4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ void operator+=(uint4& a, unsigned int b) { a.x += b; a.y += b; a.z += b; a.w += b; }
inline __host__ __device__ uint4 operator-(uint4 a, uint4 b) { return make_uint4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
inline __host__ __device__ uint4 operator-(uint4 a, unsigned int b) { return make_uint4(a.x - b, a.y - b, a.z - b, a.w - b); }
inline __host__ __device__ uint4 operator-(unsigned int a, uint4 b) { return make_uint4(a - b.x, a - b.y, a - b.z, a - b.w); }
inline __host__ __device__ void operator-=(uint4& a, uint4 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; a.w -= b.w; }
inline __host__ __device__ void operator-=(uint4& a, unsigned int b) { a.x -= b; a.y -= b; a.z -= b; a.w -= b; }
inline __host__ __device__ uint4 operator*(uint4 a, uint4 b) { return make_uint4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
inline __host__ __device__ uint4 operator*(uint4 a, unsigned int b) { return make_uint4(a.x * b, a.y * b, a.z * b, a.w * b); }
inline __host__ __device__ uint4 operator*(unsigned int a, uint4 b) { return make_uint4(a * b.x, a * b.y, a * b.z, a * b.w); }
inline __host__ __device__ void operator*=(uint4& a, uint4 b) { a.x *= b.x; a.y *= b.y; a.z *= b.z; a.w *= b.w; }
inline __host__ __device__ void operator*=(uint4& a, unsigned int b) { a.x *= b; a.y *= b; a.z *= b; a.w *= b; }
