import type { Community } from '@meetmark/contracts/community';

export { formatPrice, isFree } from '@meetmark/contracts/community';

export const formatCount = (figure: number, { locale }: Pick<Community, 'locale'>) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(figure);
