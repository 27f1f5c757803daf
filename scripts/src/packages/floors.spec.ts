import { readFileSync } from 'node:fs';
import path from 'node:path';
import { belowFloor, FLOORS, type LockFile } from './floors.js';

const file = path.resolve(import.meta.dirname, '../../../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;

describe('the locked packages', () => {
  it('have none of the faults that older versions are known for', () => {
    expect(belowFloor(lock)).toEqual([]);
  });

  it('are among those that are looked at', () => {
    const names = Object.keys(lock.packages).map((place) => place.split('node_modules/').at(-1) ?? '');
    const watched = Object.keys(FLOORS).filter((name) => names.includes(name));
    expect(watched).toEqual(expect.arrayContaining(['@nestjs/core', 'typeorm', 'nodemailer', 'validator']));
  });

  it.each([
    ['node_modules/typeorm', '0.3.28'],
    ['gateway/node_modules/validator', '13.15.15'],
    ['node_modules/@nestjs/microservices', '11.1.9'],
    ['node_modules/passport', '0.6.0-rc.1'],
  ])('are refused when %s is %s', (place, version) => {
    const planted = { packages: { ...lock.packages, [place]: { version } } };
    expect(belowFloor(planted)).toEqual([expect.stringContaining(`${place} ${version} < `)]);
  });
});
