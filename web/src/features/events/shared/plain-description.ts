import type { Event } from '@meetmark/contracts';

const MARKS = /[*_`~]{1,3}|^\s{0,3}(?:#{1,6}|>|[-+]|\d+\.)\s|!?\[([^\]]*)\]\([^)]*\)/gm;

/** Removes Markdown without the real renderer, which only the event's page loads. */
export const toPlainDescription = (description: string, format: Event['descriptionFormat']): string =>
  format === 'markdown' ? description.replaceAll(MARKS, '$1') : description;
