export const SHARED_STACK = 'MEETMARK_E2E_STACK';
export const SHARED_BROWSER = 'MEETMARK_E2E_BROWSER';

export interface Account {
  email: string;
  password: string;
}

interface SharedStack {
  url: string;
  databaseUrl: string;
  mailboxUrl: string;
  administrator: Account;
  member: Account;
}

interface SharedBrowser {
  /** URL at which the browser accepts connections. */
  url: string;
  /** Video that the browser's camera shows. */
  cameraFile: string;
}

export const sharedStack = () => readSetting<SharedStack>(SHARED_STACK);
export const sharedBrowser = () => readSetting<SharedBrowser>(SHARED_BROWSER);

function readSetting<Setting>(name: string): Setting {
  const text = process.env[name];
  if (text === undefined) throw new Error('The stories need the setup of their Jest project');
  return JSON.parse(text) as Setting;
}
