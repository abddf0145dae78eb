// The other language, by its own name.
import { language, setLanguage } from './words/word.js';

export function LanguageButton() {
  const other = language.value === 'zh' ? 'en' : 'zh';
  return (
    <button type="button" class="language" lang={other} onClick={() => setLanguage(other)}>
      {other === 'en' ? 'English' : '中文'}
    </button>
  );
}
