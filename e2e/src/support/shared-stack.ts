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
  operationsUrls: string[];
  administrator: Account;
  member: Account;
  logDirectory: string;
  /** URL at which the shared browser accepts connections. */
  browserUrl: string;
  /** Video that the camera of the shared browser shows. */
  cameraFile: string;
}

export function sharedStack(): SharedStack {
  const text = process.env[SHARED_STACK];
  if (text === undefined) throw new Error('The stories need the setup of the Jest project e2e');
  return JSON.parse(text) as SharedStack;
}
