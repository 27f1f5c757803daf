import { DEADLINES } from '@meetmark/contracts';

/**
 * What Redis answers, or an error when it takes too long. It may still do what was asked: that must be repeatable.
 * @param what what is being done, for the error
 */
export async function redisAnswer<T>(answer: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const ms = DEADLINES.redisCommand;
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
