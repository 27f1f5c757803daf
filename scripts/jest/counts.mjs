import fs from 'node:fs';

/** Jest's reporter of how many tests of each of its projects passed, into the file that MEETMARK_COUNTS names (scripts/specs.mjs). */
export default class Counts {
  projects = {};

  onTestResult(
    { context },
    { numPassingTests, numFailingTests, numPendingTests, numTodoTests, testExecError },
  ) {
    const counts = (this.projects[context.config.displayName.name] ??= { passed: 0, failed: 0, skipped: 0 });
    counts.passed += numPassingTests;
    // a suite that could not even be loaded counts as one
    counts.failed += numFailingTests || Number(testExecError != null);
    counts.skipped += numPendingTests + numTodoTests;
  }

  onRunComplete() {
    fs.writeFileSync(process.env.MEETMARK_COUNTS, JSON.stringify(this.projects));
  }
}
