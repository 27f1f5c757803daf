const isFirst = ({ context }) => context.config.displayName?.name === 'specification';

/** Jest's sequencer of the stories in one community: the specification is looked for before another story changes anything. */
export default class SpecificationFirst {
  sort(tests) {
    return [...tests].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  }

  /** Jest hands over how long each took, which decides nothing here. */
  cacheResults() {}
}
