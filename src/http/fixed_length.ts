/** Streams whose length is known. */

interface Runtime {
  readonly FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>;
}

/** Declares the length of a stream. workerd needs it for `Content-Length`; elsewhere the header is enough. */
export function fixLength(body: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const { FixedLengthStream } = globalThis as Runtime;
  return FixedLengthStream ? body.pipeThrough(new FixedLengthStream(length)) : body;
}
