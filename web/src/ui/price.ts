import type { Community } from '@meetmark/contracts/community';

export { formatPrice, isFree } from '@meetmark/contracts/community';

/** '10,000' or '3.5': at most one decimal. */
export const formatCount = (figure: number, { locale }: Pick<Community, 'locale'>) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(figure);
