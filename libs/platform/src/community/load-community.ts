import type { Community } from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../config/load-config.js';
import { CommunityFile } from './community-file.js';

/**
 * Reads and checks `config/community.json` (D30).
 * @throws ConfigError naming the file and every entry that is missing, wrong or unknown
 */
export function loadCommunity(path: string): Community {
  const content = parse(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError([`${path} must hold one JSON object`]);
  const community = plainToInstance(CommunityFile, content);
  const problems = validateSync(community, { whitelist: true, forbidNonWhitelisted: true });
  if (problems.length > 0)
    throw new ConfigError(problems.flatMap((error) => describe(error)).map((line) => `${path}: ${line}`));
  return community;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : error}`]);
  }
}

function describe(error: ValidationError, parent = ''): string[] {
  const name = `${parent}${error.property}`;
  const own = Object.values(error.constraints ?? {}).map(
    (reason) => `${name} ${reason.replace(/^property /, '').replace(`${error.property} `, '')}`,
  );
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, `${name}.`))];
}
