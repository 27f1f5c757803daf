/**
 * Specs that run first: `specification` before other stories change data, `dashboard` before another story asks
 * everybody for consent, and `screens`, which takes longest.
 */
const FIRST = ['specification', 'dashboard', 'screens'].map((name) => `/${name}.spec.ts`);

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
