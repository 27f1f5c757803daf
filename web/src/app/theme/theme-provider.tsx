import type { Scheme } from '@meetmark/contracts/palette';
import { ConfigProvider } from 'antd';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { componentWords } from '../../strings/component-words';
import { ToastProvider } from '../../ui/toasts';
import { antdThemeFor } from './antd-theme';
import { useReducedMotion, useScheme, useTextScale } from './use-scheme';

interface SchemeSwitch {
  scheme: Scheme;
  choose: (scheme: Scheme) => void;
}

const SchemeContext = createContext<SchemeSwitch>({ scheme: 'light', choose: () => undefined });

export const useSchemeSwitch = () => use(SchemeContext);

export function ThemeProvider({ children }: { children: ReactNode }) {
  const { scheme, choose } = useScheme();
  const reducedMotion = useReducedMotion();
  const scale = useTextScale();
  const theme = useMemo(() => antdThemeFor(scheme, reducedMotion, scale), [scheme, reducedMotion, scale]);
  return (
    <SchemeContext value={{ scheme, choose }}>
      <ConfigProvider theme={theme} locale={componentWords} wave={{ disabled: true }}>
        <ToastProvider>{children}</ToastProvider>
      </ConfigProvider>
    </SchemeContext>
  );
}
