/** Wire shapes of published pictures. */
import { z } from "zod";
import { uuid } from "../../http/zod.ts";

const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const PictureBody = z.object({
  file_id: uuid.meta({
    example: id,
    description: "A JPEG, PNG, GIF or SVG picture, as its content shows, of at most 2 MiB.",
  }),
}).meta({ id: "PictureBody", example: { file_id: id } });

export const PublishedPicture = z.object({
  file_id: z.uuid().meta({ example: id }),
  url: z.string().meta({
    example: `https://crm.example.org/pictures/files/${id}-Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI`,
    description: "Needs no token. It stays until the file is deleted or replaced, or the picture withdrawn.",
  }),
}).meta({ id: "PublishedPicture" });

export type PictureBody = z.output<typeof PictureBody>;
