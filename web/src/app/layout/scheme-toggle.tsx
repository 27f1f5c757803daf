import { Button } from 'antd';
import { layoutText } from '../../strings/common';
import { MoonIcon, SunIcon } from '../../ui/icons';
import { useSchemeSwitch } from '../theme/theme-provider';

export function SchemeToggle() {
  const { scheme, choose } = useSchemeSwitch();
  const dark = scheme === 'dark';
  return (
    <Button
      type="text"
      shape="circle"
      icon={dark ? <SunIcon /> : <MoonIcon />}
      aria-label={dark ? layoutText.switchToLight : layoutText.switchToDark}
      onClick={() => choose(dark ? 'light' : 'dark')}
    />
  );
}
