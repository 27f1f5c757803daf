import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';

export interface Container {
  id: string;
  service: string;
  state: string;
  exitCode: number;
  /** Ports of the host that lead into it. */
  published: { target: number; host: number }[];
}

interface ListedContainer {
  ID: string;
  Service: string;
  State: string;
  ExitCode: number;
  Publishers: { TargetPort: number; PublishedPort: number }[] | null;
}

interface Surroundings {
  environment?: Record<string, string>;
  /** Goes to standard input. */
  input?: Buffer;
  cwd?: string;
}

/** What a program writes to standard output. @throws Error with what it said on standard error when it fails */
async function written(
  program: string,
  args: string[],
  { environment = {}, input, cwd }: Surroundings = {},
): Promise<Buffer> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...environment } });
  // A program that ends before it has read everything says why by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [output, complaint, [exitCode]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  if (exitCode !== 0)
    throw new Error(`${program} ${args.join(' ')} ends with ${exitCode}\n${output}${complaint}`);
  return output;
}

export const said = async (program: string, args: string[], surroundings?: Surroundings) =>
  String(await written(program, args, surroundings));
export const docker = (...args: string[]) => said('docker', args);

/** Addresses of a container by the full names of its networks. */
export async function addressesOf(id: string): Promise<Record<string, string>> {
  const networks = await docker('inspect', '-f', '{{json .NetworkSettings.Networks}}', id);
  const entries = Object.entries(JSON.parse(networks) as Record<string, { IPAddress: string }>);
  return Object.fromEntries(entries.map(([name, { IPAddress }]) => [name, IPAddress]));
}

export interface ComposeProject {
  /** Root of the repository. */
  root: string;
  name: string;
  envFile: string;
  environment: Record<string, string>;
  /** Besides docker-compose.yml, on top of it. */
  files?: string[];
}

/** One Compose project of the repository's docker-compose.yml, with an `.env` of its own. */
export class Compose {
  constructor(private readonly project: ComposeProject) {}

  /** Full name of one of the project's networks. */
  network(name: string): string {
    return `${this.project.name}_${name}`;
  }

  async run(...args: string[]): Promise<string> {
    return String(await this.pipe(undefined, ...args));
  }

  /** The same with bytes: `input` goes to standard input. */
  pipe(input: Buffer | undefined, ...args: string[]): Promise<Buffer> {
    const { root, name, envFile, environment, files = [] } = this.project;
    const stacked = ['docker-compose.yml', ...files].flatMap((file) => ['-f', path.join(root, file)]);
    const project = ['compose', '-p', name, '--project-directory', root, '--env-file', envFile, ...stacked];
    return written('docker', [...project, ...args], { environment, input });
  }

  /** Brings up what is missing; resolves when every health check passes. */
  async up(scale: Record<string, number> = {}): Promise<void> {
    const flags = Object.entries(scale).flatMap(([name, count]) => ['--scale', `${name}=${count}`]);
    await this.run('up', '-d', '--wait', '--wait-timeout', '300', ...flags);
  }

  /** Also those that have ended. */
  async containers(): Promise<Container[]> {
    const output = await this.run('ps', '-a', '--format', 'json');
    const lines = output.split('\n').filter(Boolean);
    return lines.map((line) => {
      const each = JSON.parse(line) as ListedContainer;
      return {
        id: each.ID,
        service: each.Service,
        state: each.State,
        exitCode: each.ExitCode,
        published: (each.Publishers ?? [])
          .filter(({ PublishedPort }) => PublishedPort > 0)
          .map(({ TargetPort, PublishedPort }) => ({ target: TargetPort, host: PublishedPort })),
      };
    });
  }

  async containersOf(service: string): Promise<Container[]> {
    return (await this.containers()).filter((each) => each.service === service);
  }

  /** Port of the host that leads to a port of the service's only container. */
  async portOf(service: string, target: number): Promise<number> {
    const [container] = await this.containersOf(service);
    const port = container?.published.find((each) => each.target === target)?.host;
    if (port === undefined) throw new Error(`${service} publishes no port ${target}`);
    return port;
  }

  /** What a query answers, one row a line, columns by |. */
  async sql(query: string): Promise<string> {
    const psql = ['psql', '-U', 'meetmark', '-d', 'meetmark', '-h', '127.0.0.1', '-Atc', query];
    const command = `PGPASSWORD="$POSTGRES_PASSWORD" exec "$@"`;
    return (await this.run('exec', '-T', 'postgres', 'sh', '-c', command, 'sh', ...psql)).trim();
  }
}
