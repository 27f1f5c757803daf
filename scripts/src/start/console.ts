const DIM = 2;
const RED = 31;
const GREEN = 32;
const CYAN = 36;

const colours = process.stdout.isTTY && !process.env['NO_COLOR'];
const paint = (code: number, text: string): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);

const SOURCE_WIDTH = 10;
const began = performance.now();

process.stdout.on('error', () => undefined);

export function progress(message: string, source = 'start'): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
  console.log(`${paint(DIM, `${seconds}s`)} ${paint(CYAN, source.padEnd(SOURCE_WIDTH))} ${message}`);
}

export function failure(message: string): void {
  console.error(`${paint(RED, 'Meetmark could not start.')}\n${message}`);
}

export interface Welcome {
  url: string;
  gatewayUrls: string[];
  mailboxUrl: string | null;
  accounts?: Record<'member' | 'administrator', { email: string; password: string }>;
  setupUrl?: string;
}

export function welcome({ url, gatewayUrls, mailboxUrl, accounts, setupUrl }: Welcome): void {
  console.log('');
  if (mailboxUrl) console.log(`Mailbox: ${mailboxUrl}`);
  for (const [index, gateway] of gatewayUrls.entries()) {
    if (gatewayUrls.length > 1) console.log(`Gateway ${index + 1}: ${gateway}`);
  }
  console.log(paint(GREEN, `Meetmark is ready: ${url}`));
  if (accounts) {
    const { member, administrator } = accounts;
    console.log(`Sign in as a member: ${member.email} / ${member.password}`);
    console.log(`Sign in as the administrator: ${administrator.email} / ${administrator.password}`);
  }
  if (setupUrl !== undefined) console.log(`Set up your community, once and within a day: ${setupUrl}`);
}
