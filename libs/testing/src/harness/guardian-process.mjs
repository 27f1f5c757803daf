// Ends the servers of a test run when the run itself can no longer do it (kill -9, a crash): its standard input then closes.
// Plain JavaScript, since it is started with bare node. One command a line: `guard PID`, `release PID`, `remove DIRECTORY`.
import fs from 'node:fs';
import readline from 'node:readline';

const guarded = new Set();
const directories = new Set();

// Ctrl-C goes to the whole process group; the guardian outlives it to clean up.
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
// The files of a killed PostgreSQL may still appear for a moment.
for (const directory of directories)
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
