/** Old browsers have no segmenter. There, texts may be cut inside a grapheme cluster, such as a flag. */
const clusters = 'Segmenter' in Intl ? new Intl.Segmenter() : undefined;

/** `max` counts UTF-16 code units. Cuts between grapheme clusters if possible. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  // If the first cluster already exceeds the limit, `index` is 0. Then cut inside this cluster.
  const end = clusters?.segment(text).containing(max)?.index || max;
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}

export const shortenText = (text: string, max: number): string =>
  text.length <= max ? text : `${cutText(text, max - 1).trimEnd()}…`;
