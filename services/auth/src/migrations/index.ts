import { ProvedSecondFactors1795509335000 } from './1795509335000-proved-second-factors.js';
import { HeldPlaces1795511222000 } from './1795511222000-held-places.js';
import { CodeLanes1795511729000 } from './1795511729000-code-lanes.js';
import { KnownAddresses1795516227000 } from './1795516227000-known-addresses.js';
import { AnyLanguage1795748521000 } from './1795748521000-any-language.js';
import { ContactCodes1795772280001 } from './1795772280001-contact-codes.js';

export const migrations = {
  schema: 'auth',
  role: 'meetmark_auth',
  migrations: [
    ProvedSecondFactors1795509335000,
    HeldPlaces1795511222000,
    CodeLanes1795511729000,
    KnownAddresses1795516227000,
    AnyLanguage1795748521000,
    ContactCodes1795772280001,
  ],
  code: { folder: 'services/auth/src/database' },
};
