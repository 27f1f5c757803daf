/** Waits for an answer, however long it takes, and calls `lost` once when it takes longer than `ms`. */
export async function withPatience<T>(answer: Promise<T>, ms: number, lost: () => void): Promise<T> {
  let unread: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // if it was this process that stood still, the answer is here, but not read yet
    unread = setImmediate(lost);
  }, ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    clearImmediate(unread);
  }
}
