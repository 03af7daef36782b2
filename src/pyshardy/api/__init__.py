"""What ``import pyshardy`` offers: functions, and objects that answer for themselves."""
