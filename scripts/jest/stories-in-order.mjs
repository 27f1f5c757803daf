/** The specification, which is looked for before another story changes anything; then the longest, so that workers end together. */
const FIRST = ['specification', 'screens'].map((name) => `/${name}.spec.ts`);

const rankOf = ({ path }) => {
  const rank = FIRST.findIndex((end) => path.endsWith(end));
  return rank === -1 ? FIRST.length : rank;
};

/** Jest's sequencer of the stories whose order matters. */
export default class StoriesInOrder {
  sort(tests) {
    return [...tests].sort((a, b) => rankOf(a) - rankOf(b));
  }

  /** Jest hands over how long each took, which decides nothing here. */
  cacheResults() {}
}
