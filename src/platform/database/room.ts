import { DatabaseFull, type Result } from "./database.ts";

/** Whether the last write found room on the disk. */
export interface Room {
  full: boolean;
}

/** Records whether a write finds room. A write without changes needs none. */
export async function noting(room: Room, write: Promise<Result[]>): Promise<Result[]> {
  try {
    const results = await write;
    if (room.full && results.some(({ changes }) => changes > 0)) room.full = false;
    return results;
  } catch (error) {
    if (error instanceof DatabaseFull) room.full = true;
    throw error;
  }
}
