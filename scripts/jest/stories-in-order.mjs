/**
 * Specs that run first: `specification` before other stories change data, then `screens`, which takes
 * longest.
 */
const FIRST = ['specification', 'screens'].map((name) => `/${name}.spec.ts`);

const getRank = ({ path }) => {
  const rank = FIRST.findIndex((end) => path.endsWith(end));
  return rank === -1 ? FIRST.length : rank;
};

export default class StoriesInOrder {
  sort(tests) {
    return [...tests].sort((a, b) => getRank(a) - getRank(b));
  }

  cacheResults() {}
}
