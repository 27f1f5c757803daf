/** Environment variable through which the run's setup tells Jest's workers where the stack is. */
export const SHARED_STACK = 'MEETMARK_E2E_STACK';

export interface Account {
  email: string;
  password: string;
}

export interface SharedStack {
  url: string;
  gatewayUrls: string[];
  databaseUrl: string;
  redisUrl: string;
  mailboxUrl: string;
  /** Health and metrics of every process. */
  operationsUrls: string[];
  administrator: Account;
  member: Account;
  logDirectory: string;
}

/** The stack that all stories of a run share: two replicas of everything, the demo community in it. */
export function sharedStack(): SharedStack {
  const text = process.env[SHARED_STACK];
  if (text === undefined) throw new Error('The stories need the setup of the Jest project e2e');
  return JSON.parse(text) as SharedStack;
}
