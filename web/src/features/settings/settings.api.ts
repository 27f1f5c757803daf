import type {
  BrandPalettes,
  CommunitySettings,
  SettingName,
  Settings,
  SettingsVersion,
} from '@meetmark/contracts';
import { RETENTION, RETENTION_MAX, RETENTION_SETTINGS } from '@meetmark/contracts/retention';
import { settingsText as text } from '@meetmark/i18n/texts/settings';
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { hasCode, refusedFields, sendForJson, serverMessage } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { communityQuery } from '../../api/community';
import { readQuery } from '../../api/query-client';
import { type FieldErrors, looksLikeEmail } from '../../ui/use-form';

export const SETTINGS = '/api/admin/settings';

export const settingsQuery = readQuery<Settings>(SETTINGS);

export const settingsVersionsQuery = readQuery<SettingsVersion[]>(`${SETTINGS}/versions`, [
  SETTINGS,
  'versions',
]);

export function toPaletteQuery({ brandColour, secondColour }: Partial<CommunitySettings>): string | null {
  const given = Object.entries({ brandColour, secondColour }).flatMap(([name, colour]) =>
    isColour(colour ?? '') ? [[name, colour!]] : [],
  );
  return given.length === 0 ? null : String(new URLSearchParams(given));
}

export const palettesQuery = (colours: string | null) =>
  queryOptions({
    queryKey: [SETTINGS, 'palettes', colours],
    queryFn: ({ signal }) => sendForJson<BrandPalettes>(`${SETTINGS}/palettes?${colours}`, { signal }),
    enabled: colours !== null,
    staleTime: Infinity,
    retry: false,
  });

async function remember(client: QueryClient, saved: Settings): Promise<void> {
  client.setQueryData(settingsQuery.queryKey, saved);
  await Promise.all([
    client.invalidateQueries({ queryKey: settingsVersionsQuery.queryKey }),
    client.invalidateQueries({ queryKey: communityQuery.queryKey }),
  ]);
}

/** `version` is the settings' version when editing began. Without it, saving overwrites newer settings. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<CommunitySettings> & { version?: number }) =>
      sendForJson<Settings>(SETTINGS, { method: 'PUT', body: changes }),
    onSuccess: (saved) => remember(client, saved),
  });
}

export function useImportSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: unknown) =>
      sendForJson<Settings>(`${SETTINGS}/import`, { method: 'POST', body: file }),
    onSuccess: (saved) => remember(client, saved),
  });
}

export type SettingsErrors = FieldErrors<CommunitySettings>;

const isWebAddress = (address: string) => /^https?:\/\/[^\s/]+/i.test(address);
export const isColour = (colour: string) => /^#[0-9a-f]{6}$/i.test(colour);

export function settingsErrors(settings: CommunitySettings): SettingsErrors {
  const errors: SettingsErrors = {};
  for (const name of ['name', 'headline', 'paymentNoteDefault'] as const)
    if (settings[name].trim() === '') errors[name] = text.required;
  if (!looksLikeEmail(settings.supportEmail)) errors.supportEmail = text.emailInvalid;
  if (settings.linkedInUrl && !isWebAddress(settings.linkedInUrl)) errors.linkedInUrl = text.urlInvalid;
  for (const name of ['brandColour', 'secondColour'] as const)
    if (settings[name] && !isColour(settings[name])) errors[name] = text.colourInvalid;
  if (!/^(19|[2-9]\d)\d\d$/.test(String(settings.copyrightYear))) errors.copyrightYear = text.yearInvalid;
  for (const name of RETENTION_SETTINGS) {
    const [days, min] = [settings[name], RETENTION[name]];
    if (days !== null && (days < min || days > RETENTION_MAX))
      errors[name] = text.daysInvalid({ min: String(min), max: String(RETENTION_MAX) });
  }
  if (
    settings.sponsors.some(({ name, url, logoUrl }) => name.trim() === '' || !isWebAddress(url) || !logoUrl)
  )
    errors.sponsors = text.sponsorIncomplete;
  return errors;
}

export function refusedSettings(error: unknown): SettingsErrors {
  const fields = refusedFields(error) as SettingsErrors;
  if (['PICTURE_TYPE', 'PICTURE_TOO_LARGE', 'PICTURE_BROKEN'].some((code) => hasCode(error, code as never)))
    return { logoUrl: serverMessage(error) ?? text.failed };
  return Object.keys(fields).some((name) => name.startsWith('sponsors['))
    ? { ...fields, sponsors: text.sponsorIncomplete }
    : fields;
}

export function emptyAsNull(settings: CommunitySettings): CommunitySettings {
  const optional = [
    ...(['linkedInUrl', 'logoUrl', 'heroUrl', 'brandColour', 'secondColour', 'font'] as const),
    ...(['mapUrl', 'senderName', 'terms', 'privacy'] as const),
  ];
  return {
    ...settings,
    ...Object.fromEntries(optional.map((name) => [name, settings[name]?.trim() || null])),
  };
}

export const unlocked = (
  changes: Partial<CommunitySettings>,
  locked: SettingName[],
): Partial<CommunitySettings> =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => !locked.includes(name as SettingName)));
