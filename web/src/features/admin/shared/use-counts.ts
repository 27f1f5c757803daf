import { useMemo } from 'react';
import { useCommunity } from '../../../api/community';

/** Writes numbers as the community does ('10,000'), with at most one decimal. */
export function useCounts(): (figure: number) => string {
  const { locale } = useCommunity();
  return useMemo(() => {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    return (figure) => format.format(figure);
  }, [locale]);
}
