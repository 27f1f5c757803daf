import { DefaultNamingStrategy } from 'typeorm';

const snake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** `createdById` in code, `created_by_id` in SQL. Tables keep the name that their entity gives. */
export class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? property].map(snake).join('_');
  }

  override joinColumnName(relation: string, referencedColumn: string): string {
    return snake(`${relation}_${referencedColumn}`);
  }
}
