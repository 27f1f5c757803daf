import { DomainError } from '@meetmark/contracts';

/** What comes within so many milliseconds. @throws DomainError SERVICE_UNAVAILABLE when nothing has come by then */
export async function soon<T>(promise: Promise<T>, patience: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' })),
      patience,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
