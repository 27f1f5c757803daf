const clusters = 'Segmenter' in Intl ? new Intl.Segmenter() : undefined;

export const firstGrapheme = (text: string): string =>
  // Old browsers have no segmenter. The first code point is close enough.
  clusters ? (clusters.segment(text).containing(0)?.segment ?? '') : ([...text][0] ?? '');
