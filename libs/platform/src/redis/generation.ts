import { createHash } from 'node:crypto';

const NAME_LENGTH = 12;

/**
 * Returns the name of the data's generation. The name changes when Redis restarts, is promoted or gets a new
 * primary. In these cases, recent writes may be lost. Include the name in the keys of data that such a loss
 * makes invalid.
 * @param info the answer to `INFO server replication`
 * @returns undefined if this Redis isn't a primary
 */
export function generationIn(info: string): string | undefined {
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  if (field('role') !== 'master') return undefined;
  const life = `${field('run_id')} ${field('master_replid')}`;
  return createHash('sha256').update(life).digest('hex').slice(0, NAME_LENGTH);
}

export const ASK_GENERATION = ['server', 'replication'] as const;

export class RedisGeneration {
  private name: string | undefined;
  /** The generation’s last known name. Stays when the connection is lost. */
  private last: string | undefined;
  private connection = {};
  private learning: Promise<string> | undefined;
  private learnt = -Infinity;

  constructor(
    private readonly ask: () => Promise<string>,
    private readonly onAnother: () => void = () => undefined,
  ) {}

  get known(): string | undefined {
    return this.name;
  }

  /** Call this when the connection is lost, because the next one may lead to another Redis. */
  forget(): void {
    this.name = this.learning = undefined;
    this.connection = {};
  }

  /** @throws Error if there is no connection to a primary */
  async current(): Promise<string> {
    return this.name ?? (this.learning ??= this.learn());
  }

  /**
   * Returns the generation's name, read from Redis at most `age` milliseconds ago.
   * @throws Error if there is no connection to a primary
   */
  async within(age: number): Promise<string> {
    if (this.name !== undefined && performance.now() - this.learnt < age) return this.name;
    return (this.learning ??= this.learn());
  }

  /** @throws Error if there is no connection to a primary */
  async learn(): Promise<string> {
    const { connection } = this;
    const asked = performance.now();
    const info = await this.ask().finally(() => (this.learning = undefined));
    const found = generationIn(info);
    if (connection !== this.connection) throw new Error('the connection to Redis was lost');
    this.name = found;
    this.learnt = asked;
    if (found === undefined) throw new Error('Redis is no primary');
    const { last } = this;
    this.last = found;
    if (last !== undefined && last !== found) this.onAnother();
    return found;
  }
}
