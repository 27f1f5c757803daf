import type { PathLoad } from './path-load.js';

/** One request, from when it is there in full until its answer begins or its client has gone, whichever comes first. */
export class Visit {
  private state: 'coming' | 'waiting' | 'over' = 'coming';

  constructor(private readonly load: PathLoad) {}

  begin(): void {
    if (this.state !== 'coming') return; // refused before its body had come
    this.state = 'waiting';
    this.load.begin();
  }

  end(outcome: { answered: boolean }): void {
    if (this.state === 'waiting') this.load.end(outcome);
    this.state = 'over';
  }
}
