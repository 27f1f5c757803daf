import MessageFormat from '@messageformat/core';

const format = new MessageFormat('en-US', { requireAllArguments: true });

/** Takes the place of strings/say.ts in specs, where no build has made functions of messages. */
export const say = (message: string, values: Record<string, string | number>): string =>
  format.compile(message)(values) as string;
