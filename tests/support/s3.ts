/** A bucket on loopback: a real server of the S3 protocol over a folder. */
import S3rver from "s3rver";

export interface S3 {
  /** The environment that selects the bucket. */
  readonly env: Readonly<Record<string, string>>;
  /** The keys of the objects in the bucket, sorted. */
  keys(): string[];
  close(): Promise<void>;
}

export async function startS3(): Promise<S3> {
  const directory = await Deno.makeTempDir({ prefix: "wayline-s3-" });
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "crm", configs: [] }],
  });
  const { port } = await server.run();
  return {
    env: {
      STORAGE_URL: `s3://crm?endpoint=http://127.0.0.1:${port}&region=eu-central-1`,
      // The only credentials that the server knows.
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
    },
    keys: () => filesIn(`${directory}/crm`).flatMap((path) => /^(.*)\._S3rver_object$/.exec(path)?.[1] ?? []),
    async close() {
      await server.close();
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** Returns the paths of all files below a folder, sorted. Empty when the folder does not exist. */
export function filesIn(folder: string): string[] {
  const walk = (below: string): string[] => {
    try {
      return [...Deno.readDirSync(`${folder}/${below}`)].flatMap(({ name, isDirectory }) =>
        isDirectory ? walk(`${below}${name}/`) : [below + name]
      );
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  };
  return walk("").sort();
}
