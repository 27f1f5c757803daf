import { LIMITS } from '@meetmark/contracts/limits';
import { useEffect, useEffectEvent, useState } from 'react';
import { SearchIcon } from './icons';
import styles from './choice.module.css';

const TYPING_PAUSE = 300;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  className?: string;
}

export function SearchBox({ label, placeholder, value, onSearch, className }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [sought, setSought] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    // keeps the typed text unless a link or the Back button changed the value
    if (value !== sought) {
      setText(value);
      setSought(value);
    }
  }
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === value) return undefined;
    const timer = setTimeout(() => {
      setSought(wanted);
      search(wanted);
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <span className={`${styles.search} ${className ?? ''}`}>
      <SearchIcon />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={LIMITS.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
}
