/** Storage in a bucket of S3 or a compatible service. */
import type { S3Client } from "@aws-sdk/client-s3";
import { type AwsCredentials, type Config, ConfigError } from "../../config.ts";
import { checkFolder, checkKey, type Storage, StorageUnavailable } from "./storage.ts";

/** Milliseconds for one request with its retries, and for a pause in the bytes of an object. */
const usualPatience = 10_000;

export interface Bucket {
  readonly name: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: AwsCredentials;
}

/**
 * Opens the bucket of an `s3:` URL; null for a folder. Throws ConfigError for a bucket without credentials.
 */
export function openBucket({ storageUrl, aws, awsRegion }: Config): Storage | null {
  if (!storageUrl.startsWith("s3:")) return null;
  if (aws === null) {
    throw new ConfigError("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for STORAGE_URL s3:");
  }
  const { hostname, searchParams } = new URL(storageUrl);
  return makeBucketStorage({
    name: hostname,
    endpoint: searchParams.get("endpoint") || null,
    region: searchParams.get("region") || awsRegion,
    credentials: aws,
  });
}

/** Stores in the bucket. Loads the large library with the first request. */
export function makeBucketStorage(bucket: Bucket, patience = usualPatience): Storage {
  const answering = <T>(act: (abortSignal: AbortSignal) => Promise<T>) => callInTime(patience, act);
  let opened: Promise<S3Client> | undefined;
  const client = () => opened ??= connect(bucket);
  const at = (key: string) => {
    checkKey(key);
    return { Bucket: bucket.name, Key: key };
  };
  const put = (key: string, bytes: Uint8Array, type: string) =>
    answering(async (abortSignal) => {
      const { PutObjectCommand } = await library();
      const command = new PutObjectCommand({
        ...at(key),
        Body: bytes,
        ContentType: type,
        ContentLength: bytes.length,
      });
      await (await client()).send(command, { abortSignal });
    });
  return {
    kind: "bucket",
    put,
    putStream: async (key, bytes, type) => await put(key, await collectBytes(bytes), type),
    get: (key, range) =>
      answering(async (abortSignal) => {
        const { GetObjectCommand } = await library();
        const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
        try {
          const found = await (await client()).send(new GetObjectCommand({ ...at(key), ...part }), {
            abortSignal,
          });
          const body = withoutPauses(found.Body!.transformToWebStream(), patience);
          return { size: found.ContentLength ?? 0, body };
        } catch (error) {
          if (readStatus(error) === 404) return null;
          throw error;
        }
      }),
    list: (folder, after) => {
      checkFolder(folder);
      return answering(async (abortSignal) => {
        const { ListObjectsV2Command } = await library();
        const command = new ListObjectsV2Command({
          Bucket: bucket.name,
          Prefix: folder,
          Delimiter: "/",
          ...(after === null ? {} : { StartAfter: after }),
        });
        const { Contents = [] } = await (await client()).send(command, { abortSignal });
        return Contents.map(({ Key, Size }) => ({ key: Key!, size: Size ?? 0 }));
      });
    },
    remove: (key) =>
      answering(async (abortSignal) => {
        const { DeleteObjectCommand } = await library();
        await (await client()).send(new DeleteObjectCommand(at(key)), { abortSignal });
      }),
    link: (key, seconds) =>
      answering(async () => {
        const { GetObjectCommand } = await library();
        const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
        const command = new GetObjectCommand({ ...at(key), ResponseContentDisposition: "inline" });
        return await getSignedUrl(await client(), command, { expiresIn: seconds });
      }),
  };
}

const library = () => import("@aws-sdk/client-s3");

async function connect({ endpoint, region, credentials }: Bucket): Promise<S3Client> {
  const { S3Client } = await library();
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  return new S3Client({
    region,
    // Outside of Amazon, buckets rarely have their own host names.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) },
    maxAttempts: 2,
    // Not every compatible server supports these checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // The default reads the operating system, for which a box has no permission.
    defaultUserAgentProvider: () => Promise.resolve([["wayline-crm"]]),
  });
}

async function collectBytes(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Passes the bytes on as they are read. Fails after a long pause. */
function withoutPauses(bytes: ReadableStream<Uint8Array>, patience: number): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new StorageUnavailable("the bucket: paused")), patience);
      try {
        const { done, value } = await Promise.race([reader.read(), late.promise]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        reader.cancel().catch(() => {});
        throw error instanceof StorageUnavailable ? error : new StorageUnavailable("the bucket: broke off");
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Reports only the kind of a failure, because the library's messages can contain keys and signatures. */
async function callInTime<T>(patience: number, act: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await act(AbortSignal.timeout(patience));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const { name, code } = error as { name?: string; code?: string };
    const kind = [name, code, readStatus(error)].filter((part) => part !== undefined && part !== "Error");
    throw new StorageUnavailable(`the bucket: ${kind.join(" ") || "no answer"}`);
  }
}

function readStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
