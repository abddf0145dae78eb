/** Words of made-up Chinese texts, for machines without a novel. */
export const chineseWords = [
  '渡口',
  '灯塔',
  '旧船',
  '石桥',
  '北风',
  '雨巷',
  '钟楼',
  '麦田',
  '铁轨',
  '山寺',
  '沉默',
  '亮起',
  '遮住',
  '等着',
];
