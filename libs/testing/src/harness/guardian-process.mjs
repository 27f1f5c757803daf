// Cleans up after a test run when the standard input closes, which also happens if the run was killed. Each
// line of input is a command: `guard PID`, `release PID` or `remove DIRECTORY`. This is plain JavaScript,
// because node runs it without a build.
import fs from 'node:fs';
import readline from 'node:readline';

const guarded = new Set();
const directories = new Set();

// Ctrl-C reaches the whole process group. The guardian must survive to clean up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [command, argument] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
  if (command === 'guard') guarded.add(Number(argument));
  if (command === 'release') guarded.delete(Number(argument));
  if (command === 'remove') directories.add(argument);
}
for (const pid of guarded) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') console.error(error);
  }
}
// Retry, because a killed PostgreSQL may still create files for a moment.
for (const directory of directories)
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
