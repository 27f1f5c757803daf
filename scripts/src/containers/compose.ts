import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';

interface Container {
  id: string;
  service: string;
  state: string;
  exitCode: number;
  ports: [target: number, host: number][];
}

interface ListedContainer {
  ID: string;
  Service: string;
  State: string;
  ExitCode: number;
  Publishers: { TargetPort: number; PublishedPort: number }[] | null;
}

interface RunOptions {
  environment?: Record<string, string>;
  input?: Buffer;
  cwd?: string;
}

/**
 * Returns a program's standard output.
 * @throws Error with its output if it fails
 */
async function outputBytes(program: string, args: string[], options: RunOptions = {}): Promise<Buffer> {
  const { environment, input, cwd } = options;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...environment } });
  // Ignores a closed pipe. If a program ends before it has read its input, its exit code shows the failure.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [bytes, complaint, [exitCode]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  if (exitCode !== 0)
    throw new Error(`${program} ${args.join(' ')} ends with ${exitCode}\n${bytes}${complaint}`);
  return bytes;
}

export const output = async (program: string, args: string[], options?: RunOptions) =>
  String(await outputBytes(program, args, options));
export const docker = (...args: string[]) => output('docker', args);

interface ComposeProject {
  root: string;
  name: string;
  envFile: string;
  environment: Record<string, string>;
  /** Compose files that extend docker-compose.yml, as paths relative to `root`. */
  files: string[];
}

export class Compose {
  private readonly environment: Record<string, string>;

  constructor({ root, name, envFile, environment, files }: ComposeProject) {
    const stacked = ['docker-compose.yml', ...files].map((file) => path.resolve(root, file));
    this.environment = {
      ...environment,
      COMPOSE_PROJECT_NAME: name,
      COMPOSE_FILE: stacked.join(path.delimiter),
      COMPOSE_ENV_FILES: envFile,
    };
  }

  network(name: string): string {
    return `${this.environment['COMPOSE_PROJECT_NAME']}_${name}`;
  }

  run(...args: string[]): Promise<string> {
    return output('docker', ['compose', ...args], { environment: this.environment });
  }

  async pipe(input: Buffer, ...args: string[]): Promise<void> {
    await outputBytes('docker', ['compose', ...args], { environment: this.environment, input });
  }

  shell(commands: string, cwd: string): Promise<string> {
    return output('sh', ['-euc', commands], { environment: this.environment, cwd });
  }

  async up(scale: Record<string, number> = {}): Promise<void> {
    const flags = Object.entries(scale).flatMap(([name, count]) => ['--scale', `${name}=${count}`]);
    await this.run('up', '-d', '--wait', '--wait-timeout', '300', ...flags);
  }

  async containers(): Promise<Container[]> {
    const lines = (await this.run('ps', '-a', '--format', 'json')).split('\n').filter(Boolean);
    return lines.map((line) => {
      const { ID: id, Service: service, State: state, ...each } = JSON.parse(line) as ListedContainer;
      const ports = (each.Publishers ?? []).map(({ TargetPort, PublishedPort }): [number, number] => [
        TargetPort,
        PublishedPort,
      ]);
      return { id, service, state, exitCode: each.ExitCode, ports };
    });
  }

  async listContainers(service: string): Promise<Container[]> {
    return (await this.containers()).filter((each) => each.service === service);
  }

  async sql(query: string): Promise<string> {
    const psql = ['psql', '-U', 'meetmark', '-d', 'meetmark', '-h', '127.0.0.1', '-Atc', query];
    const command = `PGPASSWORD="$POSTGRES_PASSWORD" exec "$@"`;
    return (await this.run('exec', '-T', 'postgres', 'sh', '-c', command, 'sh', ...psql)).trim();
  }
}
