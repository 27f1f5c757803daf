import type * as Contract from '@meetmark/contracts';
import {
  ChangeSettings,
  invalidFields,
  LIMITS,
  pictureUrl,
  StoreCommunityPicture,
} from '@meetmark/contracts';
import { CommunityFollower, unknownPictures } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { Pictures } from '../media/pictures.js';
import { Services } from '../services.js';

/** The pictures of a body, out of it: what is checked and sent on has their places only. */
interface Unpacked {
  body: unknown;
  /** Data URLs by the address that stands in their place. */
  pictures: Map<string, string>;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HASH_LENGTH = 64;

export function unpack(body: unknown): Unpacked {
  const pictures = new Map<string, string>();
  const place = (value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('data:') || pictures.size > LIMITS.sponsors)
      return value;
    const address = pictureUrl('community', String(pictures.size).padStart(HASH_LENGTH, '0'));
    pictures.set(address, value);
    return address;
  };
  const unpacked = (item: unknown) =>
    isRecord(item) && 'logoUrl' in item ? { ...item, logoUrl: place(item.logoUrl) } : item;
  if (!isRecord(body)) return { body, pictures };
  const own = unpacked(body) as Record<string, unknown>;
  const { sponsors } = own;
  if (Array.isArray(sponsors)) own.sponsors = sponsors.slice(0, LIMITS.sponsors + 1).map(unpacked);
  return { body: own, pictures };
}

/** Changes the settings on behalf of the caller: the pictures in them are stored first, one by one. */
@Injectable()
export class SettingsChange {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly follower: CommunityFollower,
  ) {}

  async save(
    changes: Contract.SettingsChanges,
    pictures: Map<string, string>,
    { userId, ip, version }: { userId: string; ip: string; version?: number },
  ): Promise<Contract.Settings> {
    const [unknown] = unknownPictures(changes, this.follower.pictures);
    if (unknown !== undefined) throw invalidFields([unknown, 'is no picture that is stored here']);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    await this.follower.tryOut({ ...this.follower.community, ...Object.fromEntries(given) });
    const stored = new Map<string, string>();
    for (const [place, dataUrl] of pictures) stored.set(place, await this.store(dataUrl, { userId, ip }));
    const at = <T extends string | null | undefined>(url: T) => (stored.get(url ?? '') ?? url) as T;
    const { logoUrl, sponsors } = changes;
    const named = {
      ...changes,
      ...(logoUrl === undefined ? {} : { logoUrl: at(logoUrl) }),
      ...(sponsors === undefined
        ? {}
        : { sponsors: sponsors.map((sponsor) => ({ ...sponsor, logoUrl: at(sponsor.logoUrl) })) }),
    };
    const saved = await this.services.call(ChangeSettings, { changes: named, version });
    await this.follower.look(); // the next page of the owner who changed them shows it
    return saved;
  }

  private async store(dataUrl: string, by: { userId: string; ip: string }): Promise<string> {
    const { picture } = await this.pictures.change(dataUrl, { kind: 'community', field: 'logoUrl', ...by });
    await this.services.call(StoreCommunityPicture, { picture: picture! });
    return pictureUrl('community', picture!.hash);
  }
}
