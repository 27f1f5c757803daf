import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import { newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { profilerTime, readProfile, selfTimes, type SelfTime } from './support/cpu-profile.js';
import { httpLoad } from './support/http-load.js';
import { profileMessages } from './transport.js';

const SECONDS = { warm: 2, load: 5 };
const FUNCTIONS = 25;
const PACKAGES = 12;

type Window = [from: number, to: number];
type Profile = (node: string[]) => Promise<Window>;

const PROFILES: Record<string, Profile> = {
  user: (node) => underLoad('/api/user', node),
  public: (node) => underLoad('/api/events/public', node),
  message: profileMessages,
};

/** Prints where a process's processor time goes: `npm run bench -- profile user`. */
export async function profile(names: string[]): Promise<void> {
  for (const name of names.length > 0 ? names : Object.keys(PROFILES)) {
    const run = PROFILES[name];
    if (!run) throw new Error(`there is no profile '${name}': ${Object.keys(PROFILES).join(', ')}`);
    const folder = mkdtempSync(join(tmpdir(), 'meetmark-profile-'));
    try {
      const [from, to] = await run(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
      const { functions, packages, busy } = selfTimes(readProfile(folder), from, to);
      process.stdout.write(
        [
          `\n${name}: busy ${percent(busy)} of the time\n`,
          table(packages.slice(0, PACKAGES)),
          table(functions.slice(0, FUNCTIONS)),
        ].join('\n'),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const table = (times: SelfTime[]) =>
  `| Self time | Where |\n| ---: | --- |\n${times.map(({ where, share }) => `| ${percent(share)} | ${where} |`).join('\n')}\n`;

async function underLoad(path: string, node: string[]): Promise<Window> {
  const stack = await startTestStack({
    environment: { LOG_LEVEL: 'info' },
    nodeArguments: (name) => (name === 'gateway' ? node : []),
  });
  try {
    const member = new ApiClient(stack.url);
    await member.signUp(newcomer());
    const cookie = member.session;
    await httpLoad(`${stack.url}${path}`, SECONDS.warm, { cookie });
    const from = profilerTime();
    const { perSecond } = await httpLoad(`${stack.url}${path}`, SECONDS.load, { cookie });
    const to = profilerTime();
    process.stdout.write(`${path}: ${Math.round(perSecond)}/s under the profiler\n`);
    return [from, to];
  } finally {
    await stack.stop();
  }
}
