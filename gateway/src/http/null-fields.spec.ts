import * as contracts from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import '../gateway.module.js';
import { bodyClasses } from './fields.js';

type Class = new () => object;
interface Rule {
  target: Class;
  propertyName: string;
  context?: { emptyIsNull?: boolean };
}

const getRules = (type: Class) =>
  getMetadataStorage().getTargetValidationMetadatas(type, '', false, false) as unknown as Rule[];

/** The classes of requests and of objects in them, without those of other tests in this process. */
const classes = new Set(
  ([...Object.values(contracts), ...bodyClasses()] as Class[]).filter(
    (type) => typeof type === 'function' && !/Config$|Outcome$/.test(type.name),
  ),
);
for (const type of classes)
  for (const { propertyName } of getRules(type))
    for (const value of [{}, [{}]]) {
      const instance = plainToInstance(type, { [propertyName]: value }) as Record<string, unknown>;
      const [inner] = [instance[propertyName]].flat();
      const nested = Object(inner).constructor as Class;
      if (getRules(nested).length > 0) classes.add(nested);
    }

/**
 * Fields that accept null without EmptyAsNull, by class. Either null clears the field, or existing clients
 * send null.
 */
const NULLABLE = [
  ...['agenda', 'coHosts', 'hosts', 'questions', 'resources', 'speakers', 'topics', 'venue'].map(
    (name) => `EventContentFields.${name}`,
  ),
  ...['coverSquare', 'coverWide', 'price'].map((name) => `EventFields.${name}`),
  ...['EventBody.bannerImageUrl', 'EventChangesBody.bannerImageUrl', 'ProfileBody.profileImageUrl'],
  ...['RegisterFields.selectedDate', 'UpdateUserBody.id', 'SettingsFields.languages'],
];
const isNullable = ({ target, propertyName }: Rule) =>
  propertyName === 'version' || NULLABLE.includes(`${target.name}.${propertyName}`);

describe('null in a field of a request', () => {
  it('refuses null and names the field unless the field may be empty', () => {
    const wrong: string[] = [];
    for (const type of classes) {
      const rules = getRules(type);
      for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
        const own = rules.filter(({ propertyName }) => propertyName === name);
        const mayBeEmpty = own.some((rule) => isNullable(rule) || rule.context?.emptyIsNull === true);
        const faults = validateSync(plainToInstance(type, { [name]: null }));
        const isRefused = faults.some(({ property }) => property === name);
        if (isRefused === mayBeEmpty)
          wrong.push(`${type.name}.${name} ${isRefused ? 'is refused' : 'is taken'}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
