import type * as Contract from '@meetmark/contracts';
import {
  ChangeSettings,
  invalidFields,
  LIMITS,
  PICTURE_SETTINGS,
  pictureUrl,
  StoreCommunityPicture,
} from '@meetmark/contracts';
import { CommunityFollower, unknownPictures } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { Pictures } from '../media/pictures.js';
import { Services } from '../services.js';

type PictureField = (typeof PICTURE_SETTINGS)[number];
type GivenPictures = Map<string, { dataUrl: string; field: PictureField }>;

interface Unpacked {
  body: unknown;
  pictures: GivenPictures;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HASH_LENGTH = 64;
const MOST_PICTURES = PICTURE_SETTINGS.length + LIMITS.sponsors;

export function unpack(body: unknown): Unpacked {
  const pictures: GivenPictures = new Map();
  const place = (value: unknown, field: PictureField) => {
    if (typeof value !== 'string' || !value.startsWith('data:') || pictures.size >= MOST_PICTURES)
      return value;
    const address = pictureUrl('community', String(pictures.size).padStart(HASH_LENGTH, '0'));
    pictures.set(address, { dataUrl: value, field });
    return address;
  };
  const unpacked = (item: unknown) => {
    if (!isRecord(item)) return item;
    const given = PICTURE_SETTINGS.filter((field) => field in item);
    return { ...item, ...Object.fromEntries(given.map((field) => [field, place(item[field], field)])) };
  };
  if (!isRecord(body)) return { body, pictures };
  const own = unpacked(body) as Record<string, unknown>;
  const { sponsors } = own;
  if (Array.isArray(sponsors)) own.sponsors = sponsors.slice(0, LIMITS.sponsors + 1).map(unpacked);
  return { body: own, pictures };
}

export function withPictures(
  settings: Contract.SettingsChanges,
  at: (url: string) => string,
): Pick<Contract.SettingsChanges, PictureField | 'sponsors'> {
  const given = PICTURE_SETTINGS.filter((name) => settings[name]);
  const { sponsors } = settings;
  return {
    ...Object.fromEntries(given.map((name) => [name, at(settings[name]!)])),
    ...(sponsors && { sponsors: sponsors.map((each) => ({ ...each, logoUrl: at(each.logoUrl) })) }),
  };
}

@Injectable()
export class SettingsChange {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly follower: CommunityFollower,
  ) {}

  async save(
    changes: Contract.SettingsChanges,
    pictures: GivenPictures,
    { userId, ip, version }: { userId: string; ip: string; version?: number },
  ): Promise<Contract.Settings> {
    const [unknown] = unknownPictures(changes, this.follower.pictures);
    if (unknown !== undefined) throw invalidFields([unknown, 'is not an image that is stored here']);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    await this.follower.tryOut({ ...this.follower.community, ...Object.fromEntries(given) });
    const stored = new Map<string, string>();
    for (const [place, { dataUrl, field }] of pictures)
      stored.set(place, await this.store(dataUrl, { field, userId, ip }));
    const named = { ...changes, ...withPictures(changes, (url) => stored.get(url) ?? url) };
    const saved = await this.services.call(ChangeSettings, { changes: named, version });
    await this.follower.look(); // Loads the change, so that the owner's next page shows it.
    return saved;
  }

  private async store(
    dataUrl: string,
    about: { field: PictureField; userId: string; ip: string },
  ): Promise<string> {
    const size = about.field === 'heroUrl' ? 'banners' : 'community';
    const { picture } = await this.pictures.change(dataUrl, { kind: 'community', size, ...about });
    await this.services.call(StoreCommunityPicture, { picture: picture! });
    return pictureUrl('community', picture!.hash);
  }
}
