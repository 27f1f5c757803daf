import { setTimeout as pause } from 'node:timers/promises';
import type { RegistrationAnswer } from '@meetmark/contracts';
import { randomFrom } from '@meetmark/scripts/seed/random';
import type { Answer } from '@meetmark/testing/http-client';
import { findFault, toOutcome, type Member } from './caller.js';
import { toRegistrationKey, type Ledger } from './ledger.js';
import type { Rig } from './rig.js';

/** Milliseconds between a member's requests. */
const THINKING = 100;
const SMALL_EVENTS = 4;
const SMALL = 2;
const LARGE_EVENTS = 26;
const DRAFTS = 2;
/** Number of email addresses without an account, enough for the codes of the longest fault. */
const STRANGERS = 600;
/** Fractions of the requests by kind. The remaining requests read the public list. */
const SHARES = { registrations: 0.2, codes: 0.05, figures: 0.15, drafts: 0.05, edits: 0.01 };
/** Maximum number of seats that an edit adds to a small event. */
const SEATS_MORE = 3;

/**
 * Sends requests as members, and changes capacities as an administrator. Each member has one loop, so the
 * expected state of each registration is known. Registrations in an unknown state are skipped.
 */
export class Load {
  private running = true;
  private readonly loops: Promise<void>[];

  private constructor(
    private readonly events: string[],
    private readonly drafts: string[],
    private readonly strangers: string[],
    members: Member[],
    private readonly administrator: Member,
    private readonly ledger: Ledger,
  ) {
    this.loops = members.map((member, index) => this.loop(member, randomFrom(`member ${index}`)));
  }

  static async begin(rig: Rig, ledger: Ledger): Promise<Load> {
    const events = [...(await rig.events(SMALL_EVENTS, SMALL)), ...(await rig.events(LARGE_EVENTS))];
    const [drafts, strangers] = [await rig.drafts(DRAFTS), await rig.strangers(STRANGERS)];
    return new Load(events, drafts, strangers, rig.members, rig.administrator, ledger);
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.loops);
    this.ledger.neverAsked = this.strangers;
  }

  private async loop(member: Member, random: () => number): Promise<void> {
    while (this.running) {
      await this.step(member, random);
      await pause(THINKING * (0.5 + random()));
    }
  }

  private async step(member: Member, random: () => number): Promise<void> {
    const kind = random();
    // Half of the requests go to small events, which have waiting lists.
    const among = random() < 0.5 ? SMALL_EVENTS : this.events.length;
    const event = this.events[Math.floor(random() * among)] ?? '';
    if (kind < SHARES.registrations) return this.changePlace(member, event);
    if (kind < SHARES.registrations + SHARES.codes) return this.askForCode(member);
    if (kind < SHARES.registrations + SHARES.codes + SHARES.figures)
      return void (await ask(this.ledger, 'count', () => member.send('GET', `/api/events/${event}/count`)));
    if (kind > 1 - SHARES.edits) return this.changeSeats(random);
    if (kind > 1 - SHARES.edits - SHARES.drafts) return this.lookForDraft(member, random);
    await ask(this.ledger, 'list', () => member.send('GET', '/api/events/public?limit=20'));
  }

  private async lookForDraft(member: Member, random: () => number): Promise<void> {
    const draft = this.drafts[Math.floor(random() * DRAFTS)] ?? '';
    await ask(this.ledger, 'draft', () => member.send('GET', `/api/events/${draft}`));
  }

  /**
   * Changes a small event's capacity. More seats promote people. A capacity below the number of registrations
   * is refused.
   */
  private async changeSeats(random: () => number): Promise<void> {
    const event = this.events[Math.floor(random() * SMALL_EVENTS)] ?? '';
    const capacity = SMALL + Math.floor(random() * (SEATS_MORE + 1));
    await ask(this.ledger, 'edit', () =>
      this.administrator.send('PUT', `/api/events/${event}`, { capacity }),
    );
  }

  private async changePlace(member: Member, event: string): Promise<void> {
    const key = toRegistrationKey(member.id, event);
    const place = this.ledger.places.get(key) ?? 'free';
    if (place === 'unknown') return;
    const [kind, method] =
      place === 'free' ? (['register', 'POST'] as const) : (['unregister', 'DELETE'] as const);
    this.ledger.places.set(key, 'unknown');
    let waits = false;
    const outcome = await ask(this.ledger, kind, async () => {
      const body = kind === 'register' ? { waitlist: true } : undefined;
      const reply = await member.send(method, `/api/events/${event}/register`, body);
      waits = (reply.body as Partial<RegistrationAnswer> | null)?.waiting !== undefined;
      return reply;
    });
    const got = waits ? 'waiting' : 'taken';
    if (outcome === 'refused') this.ledger.places.set(key, place);
    if (outcome === 'ok') this.ledger.places.set(key, kind === 'register' ? got : 'free');
  }

  private async askForCode(member: Member): Promise<void> {
    const email = this.strangers.pop();
    if (email !== undefined) await askForCode(this.ledger, member, email);
    else await ask(this.ledger, 'list', () => member.send('GET', '/api/events/public?limit=20'));
  }
}

export async function ask(ledger: Ledger, kind: string, send: () => Promise<Answer>) {
  const started = Date.now();
  try {
    const reply = await send();
    const outcome = toOutcome(reply.status);
    const fault = findFault(reply);
    const { status } = reply;
    const code = outcome === 'ok' ? undefined : (reply.body as { code?: string } | null)?.code;
    ledger.record({ kind, started, ended: Date.now(), outcome, status, code, fault });
    return outcome;
  } catch (error) {
    const fault = `broken connection: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
    ledger.record({ kind, started, ended: Date.now(), outcome: 'unknown', status: 0, fault });
    return 'unknown' as const;
  }
}

export const resetFlows = new Map<string, string>();

export async function askForCode(ledger: Ledger, member: Member, email: string): Promise<void> {
  ledger.codes.set(email, 'unknown');
  const outcome = await ask(ledger, 'code', async () => {
    const reply = await member.send('POST', '/api/forgot-password', { email });
    const cookie = reply.headers.getSetCookie().find((line) => line.includes('meetmark_flow_reset='));
    if (cookie !== undefined) resetFlows.set(email, cookie.split(';')[0] ?? '');
    return reply;
  });
  ledger.codes.set(email, outcome);
}
