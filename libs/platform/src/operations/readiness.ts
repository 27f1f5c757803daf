import pTimeout from 'p-timeout';

type DependencyCheck = () => Promise<void>;

interface ReadinessReport {
  status: 'ready' | 'starting' | 'stopping' | 'unavailable';
  problems: Record<string, string>;
}

/** Milliseconds. */
const CHECK_TIMEOUT = 1_000;

export class Readiness {
  private readonly checks = new Map<string, DependencyCheck>();
  private readonly restartRules = new Map<string, () => boolean>();
  private phase: 'starting' | 'started' | 'stopping' = 'starting';

  /** `check` must throw if the dependency can't be reached. */
  add(dependency: string, check: DependencyCheck): void {
    this.checks.set(dependency, check);
  }

  /**
   * Adds a reason for a restart. Use it only for problems that a restart solves, never for an unreachable
   * dependency.
   */
  restartWhen(problem: string, holds: () => boolean): void {
    this.restartRules.set(problem, holds);
  }

  restartReasons(): string[] {
    return [...this.restartRules].flatMap(([problem, holds]) => (holds() ? [problem] : []));
  }

  started(): void {
    if (this.phase === 'starting') this.phase = 'started';
  }

  stopping(): void {
    this.phase = 'stopping';
  }

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all([...this.checks].map(([name, check]) => outcome(name, check)));
    const problems = Object.fromEntries(results.flatMap((result) => (result === null ? [] : [result])));
    const healthy = Object.keys(problems).length === 0;
    const status = this.phase !== 'started' ? this.phase : healthy ? 'ready' : 'unavailable';
    return { status, problems };
  }
}

async function outcome(name: string, check: DependencyCheck): Promise<[string, string] | null> {
  try {
    await pTimeout(check(), { milliseconds: CHECK_TIMEOUT, message: 'does not answer' });
    return null;
  } catch (error) {
    return [name, error instanceof Error ? error.message : String(error)];
  }
}
